/** How a part of the check says what is wrong: the field, as a path, and what it must be instead. */
export type Report = (path: PropertyKey[], message: string) => void;
