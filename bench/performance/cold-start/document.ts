import { functionNames } from '../../harness/functions.ts';
import { count, numbersTable, percent } from '../../harness/markdown.ts';
import type { Aim } from '../section.ts';
import { told } from '../spread.ts';
import type { Contestant, Measured } from './cold-start.ts';

/** What each function should come to, beside the SDK alone and beside itself in the usual setting. */
const AIMS = { mostOfFloor: 0.75, hopedOfFloor: 0.5, mostOfUsual: 0.65, mostBytes: 230_000 };

const finderIn =
  ({ contestants }: Measured) =>
  (name: string, setting: Contestant['setting']) => {
    const found = contestants.find((each) => each.name === name && each.setting === setting);
    if (!found) throw new Error(`${name} was not measured in the setting ${setting}.`);
    return found;
  };

/** Of the time to load. */
const share = (one: Contestant, other: Contestant) => one.loadMs.median / other.loadMs.median;

/** The SDK alone, of the service that the function speaks to. */
const floorOf = (name: string) => (name.includes('authorizer') ? 'floor-authorizer' : 'floor');

export const aims = (measured: Measured): Aim[] => {
  const find = finderIn(measured);
  const ours = functionNames.map((name) => find(name, 'deployed'));
  const ofFloor = ours.map((each) => share(each, find(floorOf(each.name), 'usual')));
  const ofUsual = ours.map((each) => share(each, find(each.name, 'usual')));
  const most = Math.max(...ours.map(({ bytes }) => bytes));
  const each = `Loading each of the ${count(ours.length)} functions`;
  const shares = (what: string, found: readonly number[], set: number) => ({
    what,
    set: `at most ${percent(set)}`,
    found: `${percent(Math.min(...found))} to ${percent(Math.max(...found))}`,
    isMet: Math.max(...found) <= set,
  });
  return [
    shares(`${each}, against its floor in the usual setting`, ofFloor, AIMS.mostOfFloor),
    shares('the same, hoped for', ofFloor, AIMS.hopedOfFloor),
    shares(`${each}, against itself in the usual setting`, ofUsual, AIMS.mostOfUsual),
    {
      what: 'Largest bundle',
      set: `at most ${count(AIMS.mostBytes / 1_000)} KB`,
      found: `${count(most / 1_000)} KB`,
      isMet: most <= AIMS.mostBytes,
    },
  ];
};

export const document = (measured: Measured) => {
  const { runs, contestants } = measured;
  const find = finderIn(measured);
  const row = ({ name }: Contestant) => {
    const [usual, deployed] = [find(name, 'usual'), find(name, 'deployed')];
    const floor = find(floorOf(name), 'usual');
    return [
      name,
      count(usual.bytes / 1_000),
      told(usual.loadMs),
      count(usual.builtinModules),
      count(deployed.bytes / 1_000),
      told(deployed.loadMs),
      count(deployed.builtinModules),
      percent(share(deployed, usual)),
      percent(share(deployed, floor)),
    ];
  };
  const heads = [
    '',
    'Usual: KB',
    'Load, ms',
    "Node's modules",
    'As ours: KB',
    'Load, ms',
    "Node's modules",
    'Of its usual',
    "Of the floor's usual",
  ];
  return `## Cold start

A request that finds no process ready starts one, which loads its bundle first. Here each bundle was loaded ${runs} times, after once that does not
count, each time by a new process that had loaded nothing else. *Usual* is an ES module, minified, with all of the SDK inside and its whole chain
of credentials; *as ours* is what \`npm run deploy\` makes, here for the others, too: what a bundle leaves out helps everybody, and what our own code
adds to the SDK shows between two rows of that column. *Rows* is our function with a store that writes a row for each material. Hono and express
are one function, which a warehouse's second operation finds warm; ours are four, each of which starts by itself.

${numbersTable(heads, contestants.filter(({ setting }) => setting === 'usual').map(row))}
`;
};
