// `npm run doctor` begins here. A Node that is too old for TypeScript, or a missing package, would print a stack trace.
const fail = (text) => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

if (process.features.typescript) {
  try {
    const { main } = await import('./main.ts');
    await main();
  } catch (error) {
    const [missing] = /^Cannot find package '[^']+'/.exec(error.message) ?? [];
    if (!missing) throw error;
    fail(`${missing}. The doctor needs what \`npm ci\` installs without --omit=dev.`);
  }
} else {
  fail('The doctor needs Node 22.18 or newer, or the packages that `npm ci` installs without --omit=dev.');
}
