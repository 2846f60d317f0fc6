import { enableCompileCache } from 'node:module';

enableCompileCache();
const { doctorCommand } = await import('./run-doctor.ts');

// Whoever reads has seen enough, as `head` has; whether all is well is not known then.
process.stdout.on('error', () => process.exit(1));
process.exitCode = await doctorCommand(process.argv.slice(2));
