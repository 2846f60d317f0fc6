import { Field } from '../components/controls.tsx';
import type { Cells } from '../use-stock.ts';

type Props = { row: Cells | undefined };

const LANGUAGES = { en: 'English', de: 'German', ru: 'Russian' };

/** What people need to write to the warehouse. */
export const DetailFields = ({ row }: Props) => (
  <>
    <Field label="Display name: the warehouse's name for people">
      <input
        name="displayName"
        maxLength={100}
        autocomplete="off"
        defaultValue={row?.['DisplayName'] ?? ''}
      />
    </Field>
    <Field label="Language of messages">
      <select name="language">
        <option value="" selected={!row?.['Language']} />
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <option key={language} value={language} selected={row?.['Language'] === language}>
            {name}
          </option>
        ))}
      </select>
    </Field>
    <Field label="Contact: people, addresses, telephone" isWide>
      <textarea name="contact" rows={3} maxLength={500} defaultValue={String(row?.['Contact'] ?? '')} />
    </Field>
  </>
);

/** The values that differ from those of the row. An empty text removes a value. */
export const readDetails = (form: FormData, row: Cells | undefined) => {
  const changed = (name: string, column: string) => {
    const value = String(form.get(name) ?? '')
      .replaceAll('\r\n', '\n')
      .trim();
    return value === String(row?.[column] ?? '') ? undefined : value;
  };
  return {
    displayName: changed('displayName', 'DisplayName'),
    language: changed('language', 'Language'),
    contact: changed('contact', 'Contact'),
  };
};
