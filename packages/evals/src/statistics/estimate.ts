/** The quantile of the normal distribution for intervals of 95 %. */
const Z = 1.959963984540054;

/** Sums over the runs of one cluster: runs of a task, or of the tasks of a group, which are not independent of each other. */
export interface ClusterSums {
  readonly count: number;
  readonly sum: number;
  readonly sumOfSquares: number;
}

/** A mean with its clustered standard error and its interval of 95 %. */
export interface Estimate {
  readonly value: number;
  /** The number of values. */
  readonly count: number;
  /** Undefined with fewer than two clusters. */
  readonly standardError?: number | undefined;
  readonly lower: number;
  readonly upper: number;
}

/** Wilson's interval of 95 % for a share. @param count may be a fraction: an effective number of independent runs */
export function computeWilsonInterval(
  share: number,
  count: number,
): { readonly lower: number; readonly upper: number } {
  const denominator = 1 + Z ** 2 / count;
  const centre = (share + Z ** 2 / (2 * count)) / denominator;
  const reach = (Z / denominator) * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  // At the ends, rounding would move the interval off its own share.
  return { lower: share === 0 ? 0 : clamp(centre - reach), upper: share === 1 ? 1 : clamp(centre + reach) };
}

/**
 * Estimates a share: Wilson's interval, with the number of runs reduced to the number of independent runs that would have the same
 * standard error. With one run in each cluster, this is Wilson's interval itself.
 */
export function estimateShare(clusters: readonly ClusterSums[]): Estimate | undefined {
  const total = sumClusters(clusters);
  if (total.count === 0) return undefined;
  const value = total.sum / total.count;
  const standardError = computeClusteredError(clusters);
  return { value, count: total.count, standardError, ...computeWilsonInterval(value, countEffective(clusters)) };
}

/** Estimates a mean of values from 0 to 1: the normal interval, cut at 0 and 1. */
export function estimateMean(clusters: readonly ClusterSums[]): Estimate | undefined {
  const total = sumClusters(clusters);
  if (total.count === 0) return undefined;
  const value = total.sum / total.count;
  const standardError = computeClusteredError(clusters);
  const reach = standardError === undefined ? 1 : Z * standardError;
  return { value, count: total.count, standardError, lower: clamp(value - reach), upper: clamp(value + reach) };
}

/** Estimates the mean of paired differences from -1 to 1: the normal interval, cut at both ends. */
export function estimateDifference(clusters: readonly ClusterSums[]): Omit<Estimate, 'count'> {
  const { count, sum } = sumClusters(clusters);
  const value = count === 0 ? 0 : sum / count;
  const standardError = computeClusteredError(clusters);
  const reach = standardError === undefined ? 2 : Z * standardError;
  return { value, standardError, lower: Math.max(-1, value - reach), upper: Math.min(1, value + reach) };
}

/** Computes the standard error of the mean for runs that are independent only between clusters. */
export function computeClusteredError(clusters: readonly ClusterSums[]): number | undefined {
  const filled = clusters.filter(({ count }) => count > 0);
  if (filled.length < 2) return undefined;
  const { count, sum } = sumClusters(filled);
  const mean = sum / count;
  const squares = filled.reduce((all, each) => all + (each.sum - each.count * mean) ** 2, 0);
  return Math.sqrt((squares * filled.length) / (filled.length - 1)) / count;
}

/** The number of independent runs that would have the clustered standard error, between the number of clusters and the number of runs. */
function countEffective(clusters: readonly ClusterSums[]): number {
  const filled = clusters.filter(({ count }) => count > 0);
  const { count, sum, sumOfSquares } = sumClusters(filled);
  const clustered = computeClusteredError(filled);
  const variance = count < 2 ? 0 : (sumOfSquares - sum ** 2 / count) / (count - 1);
  // Without any variance, the runs of a cluster say no more than one of them.
  if (clustered === undefined || clustered === 0 || !(variance > 0)) return filled.length;
  return Math.min(count, Math.max(1, variance / clustered ** 2));
}

function sumClusters(clusters: readonly ClusterSums[]): ClusterSums {
  let [count, sum, sumOfSquares] = [0, 0, 0];
  for (const each of clusters) {
    count += each.count;
    sum += each.sum;
    sumOfSquares += each.sumOfSquares;
  }
  return { count, sum, sumOfSquares };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
