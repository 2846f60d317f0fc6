import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';

const newSecret = () => randomBytes(32).toString('base64url');

const isEqual = (text: string, secret: string) =>
  timingSafeEqual(hash('sha256', text, 'buffer'), hash('sha256', secret, 'buffer'));

const refuse = (message: string): never => {
  throw new HTTPException(403, { message });
};

const FROM_ANOTHER_PAGE = 'This request comes from another page. The console serves only its own pages.';
const NOT_SIGNED_IN = 'This browser is not signed in to the console. Open the link that the command printed.';

/** Only a browser that has opened a link with a key gets data. */
export const createAccess = (port: number) => {
  const ownHost = `127.0.0.1:${port}`;
  // The port is in the name of the cookie, because a browser sends cookies to all ports of a host.
  const cookieName = `warehouse-console-${port}`;
  const cookieValue = newSecret();
  // A person may use two browsers at once, so the printed key works until the command ends.
  const printedKey = newSecret();
  // The command writes this key to a file for the browser. Somebody may copy the file, so the key works only once.
  let unusedKey: string | undefined = newSecret();
  const { promise: used, resolve: setUsed } = Promise.withResolvers<void>();

  const linkWith = (key = '') => `http://${ownHost}/?key=${key}`;

  const acceptsKey = (key: string) => {
    if (isEqual(key, printedKey)) return true;
    if (unusedKey === undefined || !isEqual(key, unusedKey)) return false;
    unusedKey = undefined;
    setUsed();
    return true;
  };

  const checkAddress: MiddlewareHandler = async ({ req }, next) => {
    if (req.header('Host') !== ownHost || new URL(req.url).host !== ownHost)
      refuse(`The console is at ${ownHost} only.`);
    if (![undefined, `http://${ownHost}`].includes(req.header('Origin'))) refuse(FROM_ANOTHER_PAGE);
    return next();
  };

  const checkSignIn: MiddlewareHandler = async (context, next) => {
    const { path, method } = context.req;
    const key = path === '/' && method === 'GET' ? context.req.query('key') : undefined;
    const isSignedIn = isEqual(getCookie(context, cookieName) ?? '', cookieValue);
    if (key !== undefined && (isSignedIn || acceptsKey(key))) {
      setCookie(context, cookieName, cookieValue, { httpOnly: true, sameSite: 'Strict' });
      return context.redirect('/');
    }
    return isSignedIn || FILES_WITHOUT_DATA.includes(path) || isClickOnAnotherPage(context)
      ? next()
      : refuse(NOT_SIGNED_IN);
  };

  return {
    guards: [checkAddress, checkSite, checkSignIn, checkMethod],
    printedLink: linkWith(printedKey),
    browserLink: { url: linkWith(unusedKey), used },
  };
};

const isFromAnotherPage = ({ req }: Context) =>
  ![undefined, 'none', 'same-origin'].includes(req.header('Sec-Fetch-Site'));

/** Refuses requests of a page on another port, because the browser sends our cookie with them, too. */
const checkSite: MiddlewareHandler = (context, next) =>
  isFromAnotherPage(context) && !isClickOnAnotherPage(context) ? refuse(FROM_ANOTHER_PAGE) : next();

const checkMethod: MiddlewareHandler = async ({ req }, next) => {
  if (['GET', 'HEAD', 'POST'].includes(req.method)) return next();
  throw new HTTPException(405, { message: `The console does not accept ${req.method}.` });
};

/** The page needs these files to say that the browser is not signed in. */
const FILES_WITHOUT_DATA = ['/console.css', '/console.js'];

/**
 * After a click on another site, the browser sends no cookie. The browser still gets the console's page, because this
 * page has no data. The later requests of the page have the cookie.
 */
const isClickOnAnotherPage = (context: Context) =>
  isFromAnotherPage(context) &&
  context.req.path === '/' &&
  context.req.method === 'GET' &&
  context.req.header('Sec-Fetch-Mode') === 'navigate' &&
  context.req.header('Sec-Fetch-Dest') === 'document';

/** Reads more of the service, and changes nothing there. */
const READS_MORE = '/api/older';

const BODY_TYPES = /^application\/(json|octet-stream)(;|$)/i;

/** Refuses forms of other pages. A form cannot send these content types, and `checkAddress` checks its `Origin`. */
export const guardWrites =
  (isReadOnly: boolean): MiddlewareHandler =>
  async ({ req }, next) => {
    if (req.method !== 'POST') return next();
    if (req.header('Origin') === undefined) refuse('The request has no Origin header.');
    if (!BODY_TYPES.test(req.header('Content-Type') ?? '')) {
      throw new HTTPException(415, { message: 'Send JSON, or a file as application/octet-stream.' });
    }
    if (req.header('Content-Length') === undefined) {
      throw new HTTPException(411, { message: 'The request has no Content-Length header.' });
    }
    if (isReadOnly && req.path !== READS_MORE)
      refuse('The console was started with --read-only, so it cannot change anything.');
    return next();
  };

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Only styles may be inline, because charts add style elements. */
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

export const protectResponses: MiddlewareHandler[] = [
  secureHeaders({ contentSecurityPolicy: policy, strictTransportSecurity: false, xFrameOptions: 'DENY' }),
  async ({ header }, next) => {
    await next();
    header('Cache-Control', 'no-store');
  },
];
