import { MAX_BATCH_ENTRIES, MAX_LISTED_FAULTS } from '../../shared/schemas/limits.ts';

const inWords = (count: number) => count.toLocaleString('en-US');

/** What holds for all operations, for whoever writes a client. */
export const introduction = `Warehouse systems report changes and stock balances, and read the material codes and purchase orders that they may use.

## Requests

- The base URL comes from the deployment's admin, with the client's user name and password. HTTPS with TLS 1.2 and SNI.
- Every request has \`Authorization: Basic\`, in UTF-8. A client that waits to be asked gets a 401 with the challenge first.
- Both POSTs have \`Content-Type: application/json\`, with or without a charset. On GET it is ignored.
- Optional: \`Expect: 100-continue\`, \`Content-Encoding: gzip\` for a body, and \`Accept-Encoding: gzip\` for answers from 4 KB on. \`Accept-Encoding\` may also be empty or \`identity\`; the answer is plain then.
- A time-out of 30 s or more: the gateway answers within 29 s.
- Limits: ${inWords(MAX_BATCH_ENTRIES)} entries in a batch; about 6 MB for a request as it reaches the service, quotation marks escaped, and 10 MB at the gateway; about 5.5 MB of JSON in a list.
- No field but those named here is taken. What a schema cannot say stands in its description, after "Also refused".
- Patterns are those of ECMAScript with the Unicode flag, as JSON Schema has them.
- A field that is repeated in one object counts as it stands last.
- Browsers are not served (no CORS).

## Answers

Success is always 200 with a JSON object. Everything else is a problem of RFC 9457, apart from what the platform says by itself. A refused body comes with \`errorCount\` and the first ${MAX_LISTED_FAULTS} faults.

Sending again is always safe. Where only the answer was lost, a repeated batch becomes one more snapshot of the same content.

Beside what each operation names:

- Any other path or method is a 404 with valid credentials (see the response NotFound) and a 401 without.
- A request that the gateway cannot read is a 400 without \`errors\`. A GET has no body; one that is sent along is not looked at, and may still be too large (413) or wrongly packed (415).
- Below another stage than that of the base URL the platform answers 403 with \`{"message": "Forbidden"}\`.`;
