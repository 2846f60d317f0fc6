import { enableCompileCache } from 'node:module';

// What was compiled once is taken from there: a command is there in a third of the time.
enableCompileCache();
await import('./cli/command-line.ts');
