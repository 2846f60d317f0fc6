import { mapStoreErrors } from '../../shared/storage/store-errors.ts';

/** The items of pages, one by one. A page that cannot be had is told of as any call that may pass by itself. */
export async function* paginate<TItem>(
  pages: AsyncIterator<{ Items?: TItem[] | undefined }>,
): AsyncGenerator<TItem> {
  for (;;) {
    const { done, value } = await mapStoreErrors(pages.next());
    if (done) return;
    yield* value.Items ?? [];
  }
}
