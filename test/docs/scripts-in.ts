/** The shell scripts of a page. */
export const scriptsIn = (page: string) =>
  [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, script = '']) => script);
