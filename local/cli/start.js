// `npm start` begins here. For TypeScript, a Node that is too old would print a stack trace.
if (process.features.typescript) await import('./main.ts');
else {
  process.stderr.write(
    'The local run needs Node 22.18 or newer, or the packages that `npm ci` installs without --omit=dev.\n',
  );
  process.exitCode = 1;
}
