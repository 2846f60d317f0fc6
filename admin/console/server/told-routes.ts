import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { ClientName } from '../../../shared/clients/client.ts';
import type { Session } from '../../deployment/session.ts';
import { kindNames, severityOf } from '../../stock/checks/kinds.ts';
import { listScopes } from '../../stock/scope.ts';
import { Time, Version } from '../../told/mark.ts';
import { actions, MarkedMeanwhile, writeMark } from '../../told/write-mark.ts';
import type { TellResult } from '../api.ts';

const Instant = v.pipe(
  Time,
  v.transform((time) => new Date(time)),
);

const Tell = v.strictObject({
  scope: v.union([ClientName, v.picklist(listScopes)]),
  kind: v.picklist(kindNames),
  mark: v.picklist(actions),
  until: v.optional(Instant),
  readAt: v.optional(Instant),
  note: v.optional(
    v.pipe(
      v.string(),
      v.transform((note) => note.toWellFormed()),
    ),
  ),
  version: v.nullable(Version),
});

export const toldRoutes = ({ deployment }: Session) =>
  new Hono().post('/', async (context) => {
    const { version, mark: action, ...tell } = v.parse(Tell, await context.req.json());
    const newMark = { ...tell, action, severity: severityOf(tell.kind) };
    const mark = await writeMark(deployment, newMark, version).catch((error: unknown) => {
      if (!(error instanceof MarkedMeanwhile)) throw error;
      throw new HTTPException(409, { message: error.message });
    });
    return context.json<TellResult>({ version: mark.version });
  });
