/** Never goes back, unlike the wall clock. `performance` would load a Node module that nothing else needs. */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6;
