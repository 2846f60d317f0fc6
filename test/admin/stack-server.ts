import { createServer } from 'node:http';
import { listen } from '../../local/http.ts';

/** CloudFormation of one region, as far as DescribeStacks goes: one stack with these outputs, in the SDK's protocol. */
export const startStackServer = async (
  { name, region }: { name: string; region: string },
  outputs: Record<string, string>,
) => {
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await Array.fromAsync(incoming)).toString();
    const stackName = new URLSearchParams(body).get('StackName');
    // The signature is for one region. The service of another region refuses it.
    const isKnown = stackName === name && incoming.headers.authorization?.includes(`/${region}/`) === true;
    outgoing.writeHead(isKnown ? 200 : 400, { 'Content-Type': 'text/xml' });
    outgoing.end(isKnown ? described(name, outputs) : unknown(stackName ?? ''));
  });
  return { endpoint: await listen(server, 0), stop: () => server.close() };
};

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const described = (name: string, outputs: Record<string, string>) => {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>
    <StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime>
    <Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

const unknown = (name: string) =>
  `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>ValidationError</Code>
    <Message>Stack with id ${escaped(name)} does not exist</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
