import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';

const newSecret = () => randomBytes(32).toString('base64url');

const isEqual = (given: string, expected: string) =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));

const refuse = (message: string): never => {
  throw new HTTPException(403, { message });
};

const FOREIGN = 'Another page asks for this. The console answers its own pages only.';
const CLOSED =
  'This console answers only a browser that has opened the address that the command printed. Open that address.';

/** Decides who is answered: a browser that was opened at an address with a key of this process. */
export const createAccess = (port: number) => {
  const ownHost = `127.0.0.1:${port}`;
  // A browser sends cookies to all ports of a host.
  const cookie = `warehouse-console-${port}`;
  const session = newSecret();
  // Two browsers may be used at once, so the printed key works until the command ends.
  const printedKey = newSecret();
  // Other users of the machine can see the command line of a browser, so the key on it works once.
  let unusedKey: string | undefined = newSecret();

  const addressWith = (key = '') => `http://${ownHost}/?key=${key}`;

  const acceptsKey = (given: string) => {
    if (isEqual(given, printedKey)) return true;
    if (unusedKey === undefined || !isEqual(given, unusedKey)) return false;
    unusedKey = undefined;
    return true;
  };

  const checkAddress: MiddlewareHandler = async ({ req }, next) => {
    if (req.header('Host') !== ownHost || new URL(req.url).host !== ownHost)
      refuse(`The console is at ${ownHost} only.`);
    if (![undefined, `http://${ownHost}`].includes(req.header('Origin'))) refuse(FOREIGN);
    return next();
  };

  const checkSession: MiddlewareHandler = async (context, next) => {
    const { path, method } = context.req;
    const key = path === '/' && method === 'GET' ? context.req.query('key') : undefined;
    const hasSession = isEqual(getCookie(context, cookie) ?? '', session);
    if (key !== undefined && (hasSession || acceptsKey(key))) {
      setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict' });
      return context.redirect('/');
    }
    return hasSession || STATIC.includes(path) || isLinked(context) ? next() : refuse(CLOSED);
  };

  return {
    guards: [checkAddress, checkSite, checkSession, checkMethod],
    printedAddress: addressWith(printedKey),
    singleUseAddress: addressWith(unusedKey),
  };
};

const isForeign = ({ req }: Context) =>
  ![undefined, 'none', 'same-origin'].includes(req.header('Sec-Fetch-Site'));

/** A page on another port of this machine counts as the same site, and its requests carry the cookie. */
const checkSite: MiddlewareHandler = (context, next) =>
  isForeign(context) && !isLinked(context) ? refuse(FOREIGN) : next();

const checkMethod: MiddlewareHandler = async ({ req }, next) => {
  if (['GET', 'HEAD', 'POST'].includes(req.method)) return next();
  throw new HTTPException(405, { message: `The console does not answer ${req.method}.` });
};

/** These have no data, and a page that a link has opened needs them to say that its browser has no session. */
const STATIC = ['/console.css', '/console.js'];

/**
 * A link in a mail leads to the page. The browser withholds the cookie then, and sends it when the page asks for data.
 */
const isLinked = (context: Context) =>
  isForeign(context) &&
  context.req.path === '/' &&
  context.req.method === 'GET' &&
  context.req.header('Sec-Fetch-Mode') === 'navigate' &&
  context.req.header('Sec-Fetch-Dest') === 'document';

const WRITABLE_TYPES = /^application\/(json|octet-stream)(;|$)/i;

/** A form of another page can send neither of these types, and no request without its origin. */
export const guardWrites =
  (isReadOnly: boolean): MiddlewareHandler =>
  async ({ req }, next) => {
    if (req.method !== 'POST') return next();
    if (req.header('Origin') === undefined) refuse('The request does not say which page it comes from.');
    if (!WRITABLE_TYPES.test(req.header('Content-Type') ?? '')) {
      throw new HTTPException(415, { message: 'Send JSON, or a file as application/octet-stream.' });
    }
    if (req.header('Content-Length') === undefined) {
      throw new HTTPException(411, { message: 'The request does not say how long it is.' });
    }
    if (isReadOnly) refuse('The console was started with --read-only, so it changes nothing.');
    return next();
  };

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Charts add style elements while they draw. Nothing else may be inline. */
const policy = {
  defaultSrc: NONE,
  scriptSrc: SELF,
  styleSrc: [...SELF, "'unsafe-inline'"],
  connectSrc: SELF,
  imgSrc: [...SELF, 'data:'],
  baseUri: NONE,
  formAction: NONE,
  frameAncestors: NONE,
  requireTrustedTypesFor: ["'script'"],
};

export const protectAnswers: MiddlewareHandler[] = [
  secureHeaders({ contentSecurityPolicy: policy, strictTransportSecurity: false, xFrameOptions: 'DENY' }),
  async ({ header }, next) => {
    await next();
    header('Cache-Control', 'no-store');
  },
];
