import { Failure } from '../../admin/text/failure.ts';
import { Trial } from '../../doctor/trial/trial.ts';

/** A trial without deployments, which it records. It asks as often as in the given seconds, but without pauses. */
export class EagerTrial extends Trial {
  readonly events: string[] = [];
  isDeployable = true;
  isDestroyable = true;

  constructor() {
    super('Mine', { seconds: 0, interrupted: new AbortController().signal });
  }

  override async deploy() {
    this.events.push('deploy');
    if (!this.isDeployable) throw new Failure('The deployment failed.');
  }

  override async destroy() {
    this.events.push('destroy');
    return this.isDestroyable;
  }

  protected override async pause() {}

  override async poll<T>(ask: () => Promise<T>, isAwaited: (response: T) => boolean, seconds = 9) {
    let response = await ask();
    for (let left = seconds; left > 0 && !isAwaited(response); left -= 3) response = await ask();
    return response;
  }
}
