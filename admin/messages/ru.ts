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

const plural = pluralsOf('ru');

const at = (concern: Concern, words: SummaryWords) =>
  concern.materials === 1
    ? `У материала ${nameOf(concern)}`
    : `У ${plural(concern.materials, { one: 'материала', other: 'материалов' }, words)}`;

const sinceWords: Language['since'] = (from, newest) =>
  newest === undefined ? `с ${from}` : `с ${from} (последнее — с ${newest})`;
const since = (concern: Concern, words: SummaryWords) => writeSince(concern, words, sinceWords);

const dated = (concern: Concern, words: SummaryWords) => writeSince(concern, words, (at) => `от ${at}`);

const often = (usual: number | null, words: SummaryWords) =>
  usual === null ? '' : `, обычно ${plural(usual, { one: 'раз', few: 'раза', other: 'раз' }, words)} в день`;

const alike = (difference: string) => (concern: Concern, words: SummaryWords) => {
  const forms = { one: 'код отличается', few: 'кода отличаются', other: 'кодов отличаются' };
  return `${plural(concern.count, forms, words)} от другого кода только ${difference}`;
};

const checkAndSend = (what: string) =>
  `Проверьте, пожалуйста, ${what} и отправьте правильные остатки. Если всё верно, сообщите нам.`;
const oneCode =
  'Отправляйте, пожалуйста, каждый материал только под одним кодом. Если это разные материалы, сообщите нам.';

export const ru: Language = {
  locale: 'ru-RU',
  dateStyle: 'short',
  subject: (name) => `${name}: проверьте, пожалуйста, данные об остатках`,
  opening: (name) =>
    `Здравствуйте, ${name}!\n\nПроверьте, пожалуйста, следующее в остатках, которые вы нам отправляете.`,
  closing: (zone) => `Время указано в часовом поясе ${zone}.\n\nСпасибо.`,
  before: 'раньше',
  inTheList: 'в нашем списке',
  example: 'например',
  more: (count) => `и ещё ${count}`,
  moreRows: (count) => `и ещё ${count}. Ответьте на это сообщение, и мы пришлём весь список.`,
  since: sinceWords,
  wrong: {
    'damaged-snapshot': (concern, words) => `Отправка${dated(concern, words)} читается не полностью`,
    late: ({ findings: [late] }, words) =>
      late
        ? `Нет отправок с ${words.moment(Date.parse(late.data.lastBatchAt))}${often(late.data.usual, words)}`
        : '',
    'no-snapshot': () => 'Ни одной отправки ещё не было',
    'refused-request': (concern, words) => {
      const forms = { one: 'запрос отклонён', few: 'запроса отклонены', other: 'запросов отклонено' };
      return `За последние сутки ${plural(refusalsOf(concern), forms, words)}`;
    },
    'halved-snapshot': (concern, words) => {
      const [half] = concern.findings;
      if (!half) return '';
      const { entries, previousEntries } = half.data;
      return `В последней отправке${dated(concern, words)} записей: ${words.count(entries)} вместо ${words.count(previousEntries)}`;
    },
    'zero-snapshot': (concern, words) =>
      `Все остатки${since(concern, words)} равны 0 (записей: ${words.count(concern.findings[0]?.data.entries ?? 0)})`,
    'power-of-ten': (concern, words) => {
      const factor = factorOf(concern, words);
      const change = factor
        ? `в ${factor.times} раз ${factor.places > 0 ? 'больше' : 'меньше'} прежнего`
        : 'со сдвинутой запятой';
      return `${at(concern, words)} остаток${since(concern, words)} ${change}`;
    },
    'unit-differs': (concern, words) => {
      const units = unitsOf(concern);
      return units
        ? `${at(concern, words)} остаток${since(concern, words)} приходит в ${units.unit} вместо ${units.instead}`
        : `${at(concern, words)}${since(concern, words)} другая единица измерения`;
    },
    'sign-flipped': (concern, words) => `${at(concern, words)} остаток${since(concern, words)} сменил знак`,
    'look-alike': alike('внешне похожими символами'),
    'case-differs': alike('регистром букв'),
  },
  ask: {
    'damaged-snapshot': 'Отправьте, пожалуйста, все остатки ещё раз.',
    late: 'Отправьте, пожалуйста, текущие остатки и проверьте, работает ли передача.',
    'no-snapshot': 'Настройте, пожалуйста, передачу и отправьте первые остатки.',
    'refused-request': 'Исправьте это, пожалуйста, в вашей системе и отправьте запрос ещё раз.',
    'halved-snapshot':
      'Отправьте, пожалуйста, все материалы, в том числе с остатком 0. Если остальных больше нет, сообщите нам.',
    'zero-snapshot': 'Отправьте, пожалуйста, настоящие остатки. Если склад пуст, сообщите нам.',
    'power-of-ten': checkAndSend('десятичный разделитель и единицу'),
    'unit-differs':
      'Отправляйте, пожалуйста, остатки в обычной единице. Если единица изменилась насовсем, сообщите нам.',
    'sign-flipped': checkAndSend('знак'),
    'look-alike': oneCode,
    'case-differs': oneCode,
  },
};
