/** A table has outgrown what one answer carries. That is for its admin to mend; a client can do nothing about it. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}
