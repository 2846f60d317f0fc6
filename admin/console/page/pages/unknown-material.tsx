import { findOneEdit } from '../../../check/one-edit.ts';
import { fold, type Model } from '../model.ts';
import { hrefTo } from '../route.ts';

const MOST_OFFERED = 8;

export const UnknownMaterial = ({ model: { data }, code }: { model: Model; code: string }) => {
  const near = nearCodes(code, data.materials.code);
  return (
    <>
      <p>No warehouse reported a balance of {code} in this period.</p>
      {near.length > 0 && (
        <p class="flow">
          Did you mean:
          {near.map((other) => (
            <a key={other} href={hrefTo('materials', [other])}>
              {other}
            </a>
          ))}
        </p>
      )}
    </>
  );
};

/** Codes that differ in one character, or contain this one. */
const nearCodes = (code: string, codes: readonly string[]) => {
  const part = fold(code.trim());
  const containing = part === '' ? [] : codes.filter((other) => fold(other).includes(part));
  return [...new Set([...(findOneEdit([code], codes).get(code) ?? []), ...containing])].slice(
    0,
    MOST_OFFERED,
  );
};
