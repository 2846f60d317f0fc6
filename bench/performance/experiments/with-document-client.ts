/** The function, with the document client in its bundle beside it. */
export * as documents from '@aws-sdk/lib-dynamodb';
export * from '../../../functions/post-material-stock-balance.ts';
