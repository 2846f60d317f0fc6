import { hasTools, runTools } from '../support/tools.ts';

/** The Debian package. The variable SOFFICE can name another LibreOffice. */
const PACKAGES = 'libreoffice-calc-nogui';

export const SOFFICE = process.env['SOFFICE'] ?? 'soffice';

if (import.meta.main)
  runTools(PACKAGES, () =>
    hasTools({ [SOFFICE]: [SOFFICE, '--version'] }, PACKAGES, ', or name another in SOFFICE'),
  );
