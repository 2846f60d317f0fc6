import { MAX_BATCH_ENTRIES, MAX_LISTED_ERRORS } from '../../shared/limits.ts';

/** The rules of all operations, for authors of programs that call the service. */
export const introduction = `Warehouse systems send changes and stock balances. They read the material codes and purchase orders that they may use.

## Requests

- The admin of the deployment gives you the base URL, and a user name and password for your client. The service needs HTTPS with TLS 1.2 or newer and SNI.
- Send \`Authorization: Basic\` with every request, with the user name and password in UTF-8. A request without this header gets a 401 with the challenge that some HTTP libraries wait for.
- Send \`Content-Type: application/json\` with both POSTs, with or without a charset. The service ignores this header on GET.
- You may compress the body of a POST. Send \`Content-Encoding: gzip\`, or \`deflate\` for the zlib format. All limits apply to the uncompressed body.
- You may ask for compressed responses with \`Accept-Encoding: gzip\` or \`deflate\`. Without this header, with an empty header, or with \`identity\`, responses are not compressed.
- You may send \`Expect: 100-continue\`. The service sends \`100 Continue\` before the real response.
- Set a timeout of 30 seconds or more. The gateway responds within 29 seconds.
- A batch has at most ${MAX_BATCH_ENTRIES.toLocaleString('en-US')} entries. The gateway accepts requests of up to 10 MB. The service accepts about 6 MB, and each quotation mark in the body counts as two bytes. A list has at most about 5.5 MB of JSON.
- Each client may send 100 requests at once, then 10 a second. Batches have a second limit: 10 at once, then 1 a second. The admin can set other limits. A request above a limit gets a 429. Parallel requests share the limits, so send one after another.
- The service refuses fields that this document does not name. Some rules cannot be expressed in a schema. The description of the schema has these rules after "Also refused".
- Patterns use only what all languages read alike. Two patterns accept more than the service does. Their descriptions have the exact patterns.
- If an object repeats a field, the last value counts.
- Browsers on other sites cannot call the service: there is no CORS.

## Responses

Success is always 200 with a JSON object. Errors are problems in the form of RFC 9457. Only the platform itself responds in other forms, for example in plain text to a request of more than 10 MB. The response to a refused body has \`errorCount\` and the first ${MAX_LISTED_ERRORS} errors.

After a 5xx, a 429 or a lost connection, wait and send the same request again. Make at most five attempts. Wait as long as \`Retry-After\` says, or else 1, 2, 4 and 8 seconds. Double this pause at the second 429 to a request, and again at each further 429, up to 60 seconds. If \`Retry-After\` says more than 60 seconds, stop and notify somebody. A retry is always safe. If only the response was lost, a repeated batch becomes one more snapshot with the same content.

Some responses do not belong to one operation:

- Any other path or method gets a 404 if the credentials are valid, and otherwise a 401. The 404 is a problem, too.
- A request that the gateway cannot read gets a 400 without \`errors\`. The body of a GET is ignored, but it can still be too large (413).
- A path outside the API stage of the base URL gets a 403 from the platform, with \`{"message": "Forbidden"}\`.`;
