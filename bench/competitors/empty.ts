/** The least that a function can be. */
export const handler = async () => ({ statusCode: 200 });
