import mermaid from './mermaid/mermaid.mjs';

const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark ? 'dark' : 'neutral' });
await mermaid.run();
