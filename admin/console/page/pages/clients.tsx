import type { Model } from '../model.ts';

export const ClientsPage = ({ model }: { model: Model }) => <p>{model.rowCount}</p>;
