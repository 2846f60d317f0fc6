import type { Model } from '../model.ts';

export const ListsPage = ({ model }: { model: Model }) => <p>{model.rowCount}</p>;
