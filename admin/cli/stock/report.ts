import { stat } from 'node:fs/promises';
import { writeReport } from '../../formats/write-report.ts';
import { describeUnknownLists } from '../../stock/queries/lists-at.ts';
import { WrongUsage } from '../../text/failure.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { writeOutFile } from '../terminal/interruption.ts';
import { timeOptions } from '../terminal/options.ts';
import { describeDamages } from './open-table.ts';
import { stockOptions, withStock } from './with-stock.ts';

export const addReport = (program: Group) =>
  defineCommand(program, {
    name: 'report',
    description: 'write a workbook for people with the balances, their totals, the batches and the findings',
    options: stockOptions(timeOptions('batches', 'the stock')),
    help: () =>
      '\n--out names the workbook. With --json, the command prints the size of the workbook and its counts.',
    examples: ['report --out report.xlsx', 'report --out north.xlsx --client north --at yesterday'],
    writesOut: true,
    run: async function* ({ out, ...options }) {
      if (!out?.toLowerCase().endsWith('.xlsx'))
        throw new WrongUsage('Give the workbook to write, such as --out report.xlsx.');
      yield* withStock(options, undefined, async function* (stock) {
        const { session, db, filter } = stock;
        yield* describeDamages(stock);
        yield* describeUnknownLists(db, filter.at);
        const about = { deploymentName: session.deployment.name, now: session.now, ...filter };
        const counts = await writeOutFile(out, (sink) => writeReport(sink, db, about));
        yield { record: { File: out, Bytes: (await stat(out)).size, ...counts } };
      });
    },
  });
