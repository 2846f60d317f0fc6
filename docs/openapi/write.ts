import { writeFileSync } from 'node:fs';
import { DOCUMENT_FILE, generateDocument } from './generate.ts';

// The script formats it afterwards.
writeFileSync(DOCUMENT_FILE, JSON.stringify(generateDocument(), null, 2));
