import type { Model } from '../model.ts';

export const BatchesPage = ({ model }: { model: Model }) => <p>{model.rowCount}</p>;
