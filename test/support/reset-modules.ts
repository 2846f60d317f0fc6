import { vi } from 'vitest';

/*
 * Test files share a process, and so the packages that take seconds to load. Each file gets its own instances of this
 * project's modules, because they keep state and register hooks.
 */
vi.resetModules();
