import type { Model } from '../model.ts';

export const MaterialsPage = ({ model }: { model: Model }) => <p>{model.rowCount}</p>;
