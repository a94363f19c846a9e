/** Gives `12:04:31`, in the zone a person lives in unless told otherwise. */
export function timeOfDay(zone?: string): (at: string | number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
    const date = new Date(at);
    return Number.isNaN(date.getTime()) ? "--:--:--" : format.format(date);
  };
}
