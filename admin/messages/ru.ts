import type { Facts, Language } from './facts.ts';

const about = ({ materials, name, counted }: Facts) =>
  materials === 1
    ? `У материала ${name}`
    : `У ${counted(materials, { one: 'материала', other: 'материалов' })}`;

const alike =
  (difference: string) =>
  ({ count, counted }: Facts) => {
    const forms = { one: 'код отличается', few: 'кода отличаются', other: 'кодов отличаются' };
    return `${counted(count, forms)} от другого кода только ${difference}`;
  };

const checkAndSend = (what: string) =>
  `Проверьте, пожалуйста, ${what} и отправьте правильные остатки. Если всё верно, сообщите нам.`;
const oneCode =
  'Отправляйте, пожалуйста, каждый материал только под одним кодом. Если это разные материалы, сообщите нам.';

export const ru: Language = {
  locale: 'ru-RU',
  decimal: ',',
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
  rule: {
    body: 'тело запроса',
    itemOf: (name) => `элемент ${name}`,
    other: (rule) => `нарушает правило ${rule}`,
    // The same words for names of each gender.
    faults: {
      missing: 'отсутствует',
      string: '— не текст',
      number: '— не число',
      array: '— не массив',
      strict_object: '— не объект',
      union: '— не массив и не {}',
      regex: 'имеет неверный формат',
      check: 'вне допустимых пределов',
      min_length: 'ничего не содержит',
      max_length: 'превышает допустимую длину',
      raw_check: 'повторяется',
      JSON: '— не JSON',
      'UTF-8': '— не UTF-8',
      empty: 'ничего не содержит',
      'too large': 'содержит слишком много записей',
      'content type': 'имеет Content-Type не JSON',
      'unknown field': 'содержит неизвестное поле',
    },
  },
  since: (from, newest) => (newest === undefined ? `с ${from}` : `с ${from} (последнее — с ${newest})`),
  dated: (at) => `от ${at}`,
  wrong: {
    'damaged-snapshot': ({ dated }) => `Отправка${dated} читается не полностью`,
    late: ({ last, batchesADay, counted }) => {
      const forms = { one: 'раз', few: 'раза', other: 'раз' };
      return `Нет отправок с ${last}${batchesADay === null ? '' : `, обычно ${counted(batchesADay, forms)} в день`}`;
    },
    'no-snapshot': () => 'Ни одной отправки ещё не было',
    'refused-request': ({ refusals, counted }) => {
      const forms = { one: 'запрос отклонён', few: 'запроса отклонены', other: 'запросов отклонено' };
      return `За последние сутки ${counted(refusals, forms)}`;
    },
    'halved-snapshot': ({ dated, entries, previousEntries }) =>
      `В последней отправке${dated} записей: ${entries} вместо ${previousEntries}`,
    'zero-snapshot': ({ since, entries }) => `Все остатки${since} равны 0 (записей: ${entries})`,
    'power-of-ten': (facts) => {
      const { factor, since } = facts;
      const change = factor && `в ${factor.times} раз ${factor.isLarger ? 'больше' : 'меньше'} прежнего`;
      return `${about(facts)} остаток${since} ${change ?? 'со сдвинутой запятой'}`;
    },
    'unit-differs': (facts) => {
      const { units, since } = facts;
      return units
        ? `${about(facts)} остаток${since} приходит в ${units.unit} вместо ${units.instead}`
        : `${about(facts)}${since} другая единица измерения`;
    },
    'sign-flipped': (facts) => `${about(facts)} остаток${facts.since} сменил знак`,
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
