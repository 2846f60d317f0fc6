import type { Facts, Language } from './facts.ts';

const about = ({ materials, name, counted }: Facts) =>
  `Bei ${materials === 1 ? name : counted(materials, { other: 'Materialien' })}`;

const alike =
  (difference: string) =>
  ({ count, counted }: Facts) =>
    `${counted(count, { one: 'Code unterscheidet sich', other: 'Codes unterscheiden sich' })} von einem anderen nur durch ${difference}`;

const checkAndSend = (what: string) =>
  `Bitte prüfen Sie ${what} und senden Sie die richtigen Bestände. Wenn sie stimmen, sagen Sie uns bitte Bescheid.`;
const oneCode =
  'Bitte senden Sie jedes Material nur unter einem Code. Wenn es verschiedene Materialien sind, sagen Sie uns bitte Bescheid.';

export const de: Language = {
  locale: 'de-DE',
  decimal: ',',
  dateStyle: 'medium',
  subject: (name) => `${name}: Bitte prüfen Sie Ihre Bestandsmeldungen`,
  opening: (name) => `Guten Tag ${name},\n\nbitte prüfen Sie Folgendes in den Beständen, die Sie uns senden.`,
  closing: (zone) => `Alle Zeiten gelten in der Zeitzone ${zone}.\n\nVielen Dank.`,
  before: 'vorher',
  inTheList: 'in unserer Liste',
  example: 'zum Beispiel',
  more: (count) => `und ${count} weitere`,
  moreRows: (count) =>
    `und ${count} weitere. Antworten Sie auf diese Nachricht, dann senden wir Ihnen die ganze Liste.`,
  rule: {
    body: 'der Inhalt der Anfrage',
    itemOf: (name) => `ein Eintrag von ${name}`,
    other: (rule) => `verletzt die Regel ${rule}`,
    faults: {
      missing: 'fehlt',
      string: 'ist kein Text',
      number: 'ist keine Zahl',
      array: 'ist kein Array',
      strict_object: 'ist kein Objekt',
      union: 'ist weder ein Array noch {}',
      regex: 'hat eine falsche Form',
      check: 'liegt außerhalb des erlaubten Bereichs',
      min_length: 'ist leer',
      max_length: 'ist zu lang',
      raw_check: 'kommt mehrmals vor',
      JSON: 'ist kein JSON',
      'UTF-8': 'ist kein UTF-8',
      empty: 'ist leer',
      'too large': 'hat zu viele Einträge',
      'content type': 'hat einen anderen Content-Type als JSON',
      'unknown field': 'hat ein unbekanntes Feld',
    },
  },
  since: (from, newest) => (newest === undefined ? `seit ${from}` : `seit ${from} (zuletzt seit ${newest})`),
  dated: (at) => `vom ${at}`,
  wrong: {
    'damaged-snapshot': ({ dated }) => `Die Meldung${dated} ist nicht vollständig lesbar`,
    late: ({ last, batchesADay, format }) =>
      `Keine Meldung seit ${last}${batchesADay === null ? '' : `, sonst ${format(batchesADay)}-mal am Tag`}`,
    'no-snapshot': () => 'Es ist noch keine Meldung angekommen',
    'refused-request': ({ refusals, counted }) =>
      `${counted(refusals, { one: 'Anfrage wurde', other: 'Anfragen wurden' })} in den letzten 24 Stunden abgelehnt`,
    'halved-snapshot': ({ dated, entries, previousEntries }) =>
      `Ihre letzte Meldung${dated} hat nur ${entries} von ${previousEntries} Einträgen`,
    'zero-snapshot': ({ entries, since }) => `Alle ${entries} Bestände sind${since} gleich 0`,
    'power-of-ten': (facts) => {
      const { factor, since } = facts;
      const change = factor && `um den Faktor ${factor.times} ${factor.isLarger ? 'größer' : 'kleiner'}`;
      return `${about(facts)} ist der Bestand${since} ${change ?? 'um Kommastellen verschoben'}`;
    },
    'unit-differs': (facts) => {
      const { units, since } = facts;
      return units
        ? `${about(facts)} kommt der Bestand${since} in ${units.unit} statt in ${units.instead}`
        : `${about(facts)} weicht die Einheit${since} ab`;
    },
    'sign-flipped': (facts) => `${about(facts)} hat der Bestand${facts.since} ein anderes Vorzeichen`,
    'look-alike': alike('Zeichen, die gleich aussehen'),
    'case-differs': alike('Groß- und Kleinschreibung'),
  },
  ask: {
    'damaged-snapshot': 'Bitte senden Sie die ganze Meldung noch einmal.',
    late: 'Bitte senden Sie die aktuellen Bestände und prüfen Sie, ob die Übertragung noch läuft.',
    'no-snapshot': 'Bitte richten Sie die Übertragung ein und senden Sie die erste Meldung.',
    'refused-request': 'Bitte berichtigen Sie das in Ihrem System und senden Sie die Anfrage noch einmal.',
    'halved-snapshot':
      'Bitte senden Sie alle Materialien, auch die mit dem Bestand 0. Wenn die übrigen entfallen sind, sagen Sie uns bitte Bescheid.',
    'zero-snapshot':
      'Bitte senden Sie die wirklichen Bestände. Wenn Ihr Lager leer ist, sagen Sie uns bitte Bescheid.',
    'power-of-ten': checkAndSend('Dezimalzeichen und Einheit'),
    'unit-differs':
      'Bitte senden Sie die Bestände in der üblichen Einheit. Wenn sich die Einheit dauerhaft geändert hat, sagen Sie uns bitte Bescheid.',
    'sign-flipped': checkAndSend('das Vorzeichen'),
    'look-alike': oneCode,
    'case-differs': oneCode,
  },
};
