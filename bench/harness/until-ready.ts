/** Until a local run has said that it serves. */
export const untilReady = async (output: AsyncIterable<Buffer>) => {
  let said = '';
  for await (const chunk of output) {
    said += chunk;
    if (said.includes('Ready at')) return;
  }
  throw new Error(`It ended before it was ready: ${said}`);
};
