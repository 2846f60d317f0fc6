import { SETTINGS_KEY, SettingsError, STAGE_KEY } from './settings.ts';

const KEYS = [SETTINGS_KEY, STAGE_KEY];

/** The CDK ignores a key that it does not know, so a misspelt key would deploy the default settings. */
export const checkContextKeys = (context: object) => {
  const issues = Object.keys(context).flatMap((key) => {
    const nearKey = KEYS.find((known) => key !== known && isNear(key, known));
    const detail = `This key of the context is unknown. Did you mean ${nearKey}? Correct or remove it.`;
    return nearKey ? [{ pointer: `#/${encodeURIComponent(key)}`, detail }] : [];
  });
  if (issues.length > 0) throw new SettingsError(issues);
};

/** True if at most one letter is added, missing, wrong or swapped with the next letter. Ignores the case of letters, and characters that are no letters. */
const isNear = (key: string, known: string) => {
  const forms = formsOf(known);
  return formsOf(key).some((form) => forms.includes(form));
};

/** Returns the letters, and all texts that leave out one of the letters. */
const formsOf = (key: string) => {
  const letters = [...key.toLowerCase().replaceAll(/[^a-z]/g, '')];
  return [letters, ...letters.map((_, index) => letters.toSpliced(index, 1))].map((form) => form.join(''));
};
