import { stat } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { writeReport } from '../../formats/write-report.ts';
import { WrongUsage } from '../../text/failure.ts';
import { atOption, deploymentOptions, showGlobalOptions, sinceOption } from '../terminal/arguments.ts';
import { writeOutFile } from '../terminal/interruption.ts';
import { sayDamages } from './open-table.ts';
import { stockCommand, withStock } from './with-stock.ts';

/** In this command, `--out` names the workbook. Without `out`, the session prints the counts to standard output. */
const Options = v.looseObject({ out: v.optional(v.string()) });

export const addReport = (program: Command) => {
  stockCommand(
    program.command('report').configureHelp(
      showGlobalOptions([...deploymentOptions, '--json', '--out'], {
        '--json': 'print the size of the workbook and its counts as JSON',
        '--out': 'the workbook to write, such as report.xlsx',
      }),
    ),
    'write a workbook for people with the balances, their totals, the batches and the findings',
    [sinceOption('only batches received since this time'), atOption('the stock')],
    ['report --out report.xlsx', 'report --out north.xlsx --client north --at yesterday'],
  ).action((_, command) => {
    const { out, ...options } = v.parse(Options, command.optsWithGlobals());
    if (!out?.toLowerCase().endsWith('.xlsx'))
      throw new WrongUsage('Give the workbook to write, such as --out report.xlsx.');
    return withStock({ optsWithGlobals: () => options }, undefined, async (stock) => {
      const { session, db, filter } = stock;
      sayDamages(stock);
      const about = { deploymentName: session.deployment.name, now: session.now, ...filter };
      const counts = await writeOutFile(out, (sink) => writeReport(sink, db, about));
      await session.printRecord({ File: out, Bytes: (await stat(out)).size, ...counts });
    });
  });
};
