/** Under such a name the doctor writes, and what it writes is about no material of any warehouse. */
export const isDoctorsClient = (name: string) => /^doctor/i.test(name);
