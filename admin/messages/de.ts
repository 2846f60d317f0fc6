import {
  type Concern,
  factorOf,
  type Language,
  nameOf,
  pluralsOf,
  refusalsOf,
  type SummaryWords,
  unitsOf,
  writeSince,
} from './concern.ts';

const plural = pluralsOf('de');

const at = (concern: Concern, words: SummaryWords) =>
  concern.materials === 1
    ? `Bei ${nameOf(concern)}`
    : `Bei ${plural(concern.materials, { other: 'Materialien' }, words)}`;

const sinceWords: Language['since'] = (from, newest) =>
  newest === undefined ? `seit ${from}` : `seit ${from} (zuletzt seit ${newest})`;
const since = (concern: Concern, words: SummaryWords) => writeSince(concern, words, sinceWords);

const dated = (concern: Concern, words: SummaryWords) => writeSince(concern, words, (at) => `vom ${at}`);

const often = (usual: number | null, words: SummaryWords) =>
  usual === null ? '' : `, sonst ${words.count(usual)}-mal am Tag`;

const alike = (difference: string) => (concern: Concern, words: SummaryWords) => {
  const forms = { one: 'Code unterscheidet sich', other: 'Codes unterscheiden sich' };
  return `${plural(concern.count, forms, words)} von einem anderen nur durch ${difference}`;
};

const checkAndSend = (what: string) =>
  `Bitte prüfen Sie ${what} und senden Sie die richtigen Bestände. Wenn sie stimmen, sagen Sie uns bitte Bescheid.`;
const oneCode =
  'Bitte senden Sie jedes Material nur unter einem Code. Wenn es verschiedene Materialien sind, sagen Sie uns bitte Bescheid.';

export const de: Language = {
  locale: 'de-DE',
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
  since: sinceWords,
  wrong: {
    'damaged-snapshot': (concern, words) =>
      `Die Meldung${dated(concern, words)} ist nicht vollständig lesbar`,
    late: ({ findings: [late] }, words) =>
      late
        ? `Keine Meldung seit ${words.moment(Date.parse(late.data.lastBatchAt))}${often(late.data.usual, words)}`
        : '',
    'no-snapshot': () => 'Es ist noch keine Meldung angekommen',
    'refused-request': (concern, words) => {
      const forms = { one: 'Anfrage wurde', other: 'Anfragen wurden' };
      return `${plural(refusalsOf(concern), forms, words)} in den letzten 24 Stunden abgelehnt`;
    },
    'halved-snapshot': (concern, words) => {
      const [half] = concern.findings;
      if (!half) return '';
      const { entries, previousEntries } = half.data;
      return `Ihre letzte Meldung${dated(concern, words)} hat nur ${words.count(entries)} von ${words.count(previousEntries)} Einträgen`;
    },
    'zero-snapshot': (concern, words) =>
      `Alle ${words.count(concern.findings[0]?.data.entries ?? 0)} Bestände sind${since(concern, words)} gleich 0`,
    'power-of-ten': (concern, words) => {
      const factor = factorOf(concern, words);
      const change = factor
        ? `um den Faktor ${factor.times} ${factor.places > 0 ? 'größer' : 'kleiner'}`
        : 'um Kommastellen verschoben';
      return `${at(concern, words)} ist der Bestand${since(concern, words)} ${change}`;
    },
    'unit-differs': (concern, words) => {
      const units = unitsOf(concern);
      return units
        ? `${at(concern, words)} kommt der Bestand${since(concern, words)} in ${units.unit} statt in ${units.instead}`
        : `${at(concern, words)} weicht die Einheit${since(concern, words)} ab`;
    },
    'sign-flipped': (concern, words) =>
      `${at(concern, words)} hat der Bestand${since(concern, words)} ein anderes Vorzeichen`,
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
