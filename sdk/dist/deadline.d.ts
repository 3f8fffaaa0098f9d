/** A signal that is aborted at a deadline, or with another signal. `end` releases the timer and the other signal. */
export interface Deadline {
    signal: AbortSignal;
    /** Whether the time is over. */
    readonly isOver: boolean;
    end(): void;
}
/** Unlike `AbortSignal.any`, it leaves nothing behind on a long-lived signal. */
export declare function startDeadline(ms: number, outer?: AbortSignal): Deadline;
