import { createApiReference } from './scalar/standalone.esm.js';

const { document: url } = document.querySelector('#api').dataset;
// The page sends no requests, because a page on the web must not ask for a warehouse's password.
createApiReference('#api', {
  url,
  defaultOpenAllTags: true,
  withDefaultFonts: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
