import { writeFileSync } from 'node:fs';
import { DOCUMENT_FILE, generateText } from './generate.ts';

writeFileSync(DOCUMENT_FILE, generateText());
