import type { Model } from '../model.ts';

export const MaterialPage = ({ model }: { model: Model }) => <p>{model.rowCount}</p>;
