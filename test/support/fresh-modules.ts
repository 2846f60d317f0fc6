import { vi } from 'vitest';

/*
 * Test files share a process, and with it the packages that take seconds to load. Of this project's own modules each
 * file has its own: they keep what is theirs, and register what has to be looked at after each file.
 */
vi.resetModules();
