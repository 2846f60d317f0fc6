/** `after` calls pass, and then `times` calls are disturbed. Without `times`, all further calls are disturbed. */
export type Times = { after?: number; times?: number };

/** Faults that a test injects into calls. `struck` is the number of disturbed calls. */
export class Disturbances<TDisturbance extends Times> {
  private disturbances: (TDisturbance & { struck: number })[] = [];

  replace(disturbances: TDisturbance[]) {
    this.disturbances = disturbances.map((disturbance) => ({ ...disturbance, struck: 0 }));
  }

  get counted(): readonly (TDisturbance & { struck: number })[] {
    return this.disturbances;
  }

  next(applies: (disturbance: TDisturbance) => boolean): TDisturbance | undefined {
    const next = this.disturbances.find((disturbance) => {
      if (!applies(disturbance)) return false;
      if (disturbance.after) {
        disturbance.after -= 1;
        return false;
      }
      return disturbance.times === undefined || disturbance.struck < disturbance.times;
    });
    if (next) next.struck += 1;
    return next;
  }
}
