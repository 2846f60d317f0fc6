import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { UNCARRIED } from '../import/json-values.ts';

/** Whether nothing of it would be lost on the way. */
export const isRestorable = (value: AttributeValue): boolean => {
  if (value.L) return value.L.every(isRestorable);
  if (value.M) return !Object.hasOwn(value.M, UNCARRIED) && Object.values(value.M).every(isRestorable);
  return true;
};
