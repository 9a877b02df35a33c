/** A text of somebody else's in a message of ours: cut, so that no message is as long as a body. */
export const shown = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);
