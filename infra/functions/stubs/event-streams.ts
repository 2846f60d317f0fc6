/** For '@smithy/core/event-streams'. No AWS operation that the functions call returns an event stream. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are left out of the bundles.');
  }
}
