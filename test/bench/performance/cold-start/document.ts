import { functionNames } from '../../harness/functions.ts';
import { count, numbersTable, percent } from '../../harness/markdown.ts';
import { told } from '../spread.ts';
import type { Contestant, Measured } from './cold-start.ts';

/** What each function should come to, beside the SDK alone and beside itself in the usual setting. */
const AIMS = { mostOfFloor: 0.75, hopedOfFloor: 0.5, mostOfUsual: 0.65, mostBytes: 230_000 };

export const document = ({ runs, contestants }: Measured) => {
  const find = (name: string, setting: Contestant['setting']) => {
    const found = contestants.find((each) => each.name === name && each.setting === setting);
    if (!found) throw new Error(`${name} was not measured in the setting ${setting}.`);
    return found;
  };
  const share = (one: Contestant, other: Contestant) => one.loadMs.median / other.loadMs.median;
  const floor = find('floor', 'usual');
  const ofFloor = (each: Contestant) => share(each, floor);
  const ofUsual = (each: Contestant) => share(each, find(each.name, 'usual'));
  const ours = functionNames.map((name) => find(name, 'deployed'));

  const row = (each: Contestant) => [
    `${each.name}, ${each.setting}`,
    count(each.bytes / 1_000),
    told(each.loadMs),
    count(each.cpuMs.median, 1),
    count(each.builtinModules),
    percent(ofFloor(each)),
    each.setting === 'deployed' ? percent(ofUsual(each)) : '',
  ];
  const heads = [
    'Contestant, setting',
    'Bundle, KB',
    'Load, ms',
    'Processor, ms',
    "Node's modules",
    'Of the floor',
    'Of its usual',
  ];
  return `## Cold start

A process that finds no other one waiting loads its bundle first. Here each bundle was loaded ${runs} times in turn, after once that does not
count, each time by a new process that had loaded nothing else. *Usual* is an ES module, minified, with all of the SDK inside; *deployed*
is what \`npm run deploy\` makes. The *floor* is the SDK's client alone, which looks at nothing that it is sent; *hono* and *express* serve all four
operations with zod; *rows* is our function with a store that writes a row for each material.

${numbersTable(heads, contestants.map(row))}

${verdict(ours.map(ofFloor), AIMS.mostOfFloor, `of the floor's time to load`)}${hope(ours.map(ofFloor))}
${verdict(ours.map(ofUsual), AIMS.mostOfUsual, 'of what it takes itself in the usual setting')}
${verdictOnSize(Math.max(...ours.map(({ bytes }) => bytes)))}
`;
};

const verdict = (shares: readonly number[], most: number, of: string) => {
  const within = shares.filter((share) => share <= most).length;
  return `${inWords(within, shares.length)} of ours take at most ${percent(most)} ${of}: ${range(shares)}.`;
};

const inWords = (within: number, all: number) =>
  within === all ? `All ${all}` : `**${within} of the ${all}**`;

const range = (shares: readonly number[]) =>
  `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}`;

const hope = (shares: readonly number[]) => {
  const within = shares.filter((share) => share <= AIMS.hopedOfFloor).length;
  return ` The aim beyond that, ${percent(AIMS.hopedOfFloor)}, is met by ${within}.`;
};

const verdictOnSize = (bytes: number) =>
  `The largest bundle of ours has ${count(bytes)} bytes, ${bytes <= AIMS.mostBytes ? 'within' : '**past**'} the ${count(AIMS.mostBytes)} that were set.`;
