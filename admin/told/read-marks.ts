import { type Deployment, requireRecords } from '../deployment/deployment.ts';
import { documentClient, queryItems } from '../storage/query-items.ts';
import { type Mark, TOPIC, toMark } from './mark.ts';

type Source = Pick<Deployment, 'dynamodb' | 'records' | 'name'>;

/** All marks, without damaged ones. */
export const readMarks = async (deployment: Source): Promise<Mark[]> => {
  const { table } = requireRecords(deployment);
  const query = { table, partitionKey: 'Topic', partition: TOPIC, sortKey: 'Id' };
  const items = await Array.fromAsync(queryItems(documentClient(deployment.dynamodb), query));
  return items.flatMap((item) => toMark(item) ?? []);
};
