import { MAX_BATCH_ENTRIES, MAX_LISTED_FAULTS } from '../../shared/schemas/limits.ts';

const withSeparators = (count: number) => count.toLocaleString('en-US');

/** The rules of all operations, for authors of clients. */
export const introduction = `Warehouse systems report changes and stock balances, and read the material codes and purchase orders that they may use.

## Requests

- The base URL comes from the deployment's admin, with the client's user name and password. HTTPS with TLS 1.2 or newer and SNI.
- Every request has \`Authorization: Basic\`, in UTF-8. A client that waits for a challenge gets a 401 with it first.
- Both POSTs have \`Content-Type: application/json\`, with or without a charset. On GET it is ignored.
- Optional: \`Expect: 100-continue\`, \`Content-Encoding: gzip\` or \`deflate\` (the zlib format) for a body of any size, and \`Accept-Encoding: gzip\` or \`deflate\` for compressed answers. With an empty \`Accept-Encoding\` or \`identity\`, the answer is not compressed.
- Set a timeout of 30 s or more. The gateway answers within 29 s.
- Limits: ${withSeparators(MAX_BATCH_ENTRIES)} entries in a batch; 10 MB for a request at the gateway; about 6 MB for a request as it reaches the service, with its quotation marks escaped; about 5.5 MB of JSON in a list.
- Each client may send 100 requests at once, then 10 a second, and of these 10 batches at once, then 1 a second, unless the admin has set other limits. More is a 429. Requests in parallel take each other's place, so send one after another.
- Fields that this document does not name are refused. A rule that a schema cannot express is in its description, after "Also refused".
- Patterns are ECMAScript patterns with the Unicode flag, as in JSON Schema.
- If an object repeats a field, the last value counts.
- Browsers are not served (no CORS).

## Answers

Success is always 200 with a JSON object. Everything else is a problem of RFC 9457, except answers of the platform itself, such as plain text for more than 10 MB. A refused body comes with \`errorCount\` and the first ${MAX_LISTED_FAULTS} faults.

After any 5xx, a 429 or a lost connection, pause and send the same request again, in five attempts at most. The pause is Retry-After, or else 1, 2, 4 and 8 s. A retry is always safe. If only the answer was lost, a repeated batch becomes one more snapshot of the same content.

In addition to the responses of each operation:

- Any other path or method is a 404 with valid credentials (see the response NotFound) and a 401 without.
- A request that the gateway cannot read is a 400 without \`errors\`. The body of a GET is ignored, but may still be too large (413) or have a wrong encoding (415).
- Under another stage than that of the base URL, the platform answers 403 with \`{"message": "Forbidden"}\`.`;
