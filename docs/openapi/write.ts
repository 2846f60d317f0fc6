import { writeFileSync } from 'node:fs';
import { DOCUMENT, generated } from './generated.ts';

writeFileSync(DOCUMENT, generated());
