"""The leader with scouts once more, plainly. Headings in the comments are those of docs/algorithms.md."""

import math

import numpy as np


def split(u: float, parts: int) -> tuple[float, int]:
    return u * parts - int(u * parts), int(u * parts)


class Drift:  # "Leader with scouts", the drift watch
    """A cumulative sum over the mean root loss of blocks, in standard deviations."""

    def __init__(self):
        self.mean, self.square, self.sum, self.count = 0.0, 0.0, 0.0, 0

    def worse(self, x: float) -> bool:
        alarm = False
        if self.count >= 16:
            deviation = math.sqrt(max(self.square - self.mean**2, 1e-12 * self.square))
            self.sum = min(max(0.0, self.sum + min((x - self.mean) / deviation, 4.0) - 0.5), 16.0)
            alarm = self.sum > 8
            x = min(x, self.mean + 4 * deviation)
        self.count = min(self.count + 1, 50)
        self.mean += (x - self.mean) / self.count
        self.square += (x * x - self.square) / self.count
        return alarm


class Leader:  # "Leader with scouts"
    def __init__(self, K, N, even=False):  # even: "Leader with scouts", at its end
        self.K, self.N, self.t, self.p, self.even = K, N, 0, np.zeros(K), even and N > 1
        seats = min(K, max(8, math.ceil(N)))
        self.seated = sorted({int(i) for i in np.linspace(0, K - 1, seats).round()})
        self.lead = self.speaker = self.seated[0]
        self.opening = 512 if N > 1 and not even else 0
        self.most = math.ceil(N) if self.even else len(self.seated)
        self.playing = self.seated[: self.most] if N > 1 else [self.lead]
        self.score, self.evidence, self.sums = np.zeros(K), np.zeros(K), np.zeros(K)
        self.counted, self.challenged, self.champion, self.challenges = 0, 0, -1, 0
        self.drift, self.roots = Drift(), 0.0
        self.p[self.lead] = 1.0

    def players(self, u):
        return self.playing, self.speaker, 1.0

    def say(self, values) -> float:
        return values[self.speaker]

    def observe(self, costs, f, y, u) -> set:
        self.t += 1
        self.counted += 1
        self.roots += math.sqrt(costs[self.speaker])
        for i, c in costs.items():
            self.sums[i] += c
        fresh = self.end_block(u) if self.t % 64 == 0 or self.t == self.opening else set()
        if self.t == self.opening // 2 and self.opening:
            self.counted, self.sums[:] = 0, 0
        return fresh

    def end_block(self, u) -> set:  # the seven steps at the end of a block
        t, fresh = self.t, set()
        length = min(64, t - self.opening) if t > self.opening else 64
        alarm = t % 64 == 0 and self.speaker == self.lead and self.drift.worse(self.roots / length)
        self.roots = 0.0
        if t == self.opening:
            self.drift = Drift()
        self.compare()
        if t >= self.opening:
            self.counted, self.sums[:] = 0, 0
        for i in self.seated:
            if self.evidence[i] > 0 and self.score[i] < self.score[self.lead]:
                self.lead = i
        if self.challenged:
            again = t - self.challenged == 1024 and self.lead != self.champion
            alarm = again or (alarm and t - self.challenged >= 1024)
        if alarm and t > max(512, self.opening):
            u, fresh = self.challenge_by_few(u) if self.even else self.challenge(u)
        self.appoint(u)
        return fresh

    def compare(self) -> None:  # 2
        rows, alone, leading = self.counted, self.N <= 1, self.score[self.lead]
        for i in sorted(self.playing):
            mean = self.sums[i] / rows
            if self.t <= self.opening:
                self.score[i], self.evidence[i] = mean, rows
            elif i != self.lead or alone:
                if self.lead in self.playing and i != self.lead:
                    mean = leading + mean - self.sums[self.lead] / rows
                self.evidence[i] = self.evidence[i] * math.exp(-rows / 2000) + rows
                self.score[i] += rows / self.evidence[i] * (mean - self.score[i])

    def challenge(self, u) -> tuple[float, set]:  # 6
        """All but the leader start afresh, in seats that are drawn if there are more arms than seats."""
        self.challenged, self.champion, self.drift = self.t, self.lead, Drift()
        self.challenges += 1
        others = [i for i in range(self.K) if i != self.lead]
        if len(self.seated) < self.K:
            drawn = []
            for _ in self.seated[1:]:
                u, place = split(u, len(others))
                drawn.append(others.pop(place))
            others = drawn
        self.seated = sorted([self.lead, *others])
        for i in range(self.K):
            if i != self.lead:
                self.score[i], self.evidence[i] = self.score[self.lead], 0.0
        return u, set(others) or {self.lead}  # an arm that is alone starts afresh itself

    def challenge_by_few(self, u) -> tuple[float, set]:  # 6, with even rounds
        self.challenged, self.champion, self.drift = self.t, self.lead, Drift()
        self.challenges += 1
        rest = sorted((i for i in self.seated if i != self.lead), key=lambda i: self.score[i])
        fresh = rest[: self.most - 1]
        self.playing = [self.lead, *fresh]
        self.score[fresh], self.evidence[fresh] = self.score[self.lead], 0.0
        return u, set(fresh) or {self.lead}

    def appoint(self, u) -> None:  # 7
        lead, alone, since = self.lead, self.N <= 1, self.t - self.challenged
        self.p[:], self.p[lead], self.speaker = 0, 1.0, lead
        rest = [i for i in self.seated if i != lead]
        if self.even and self.challenged and since < 512:
            return
        if self.even and self.t % 512 != 0 and lead in self.playing and len(self.playing) == self.N:
            return
        if self.t < self.opening or (self.challenged and since < 512 and not alone and not self.even):
            self.playing = [lead, *rest]
            return
        self.playing = [lead]
        wanted = 0.1 if alone else self.N - 1
        scouts, part = int(wanted), wanted - int(wanted)
        scouts, u = (scouts + 1, u / part) if u < part else (scouts, (u - part) / (1 - part))
        contest = 0 if alone or self.even or since >= 1024 else 2 if since < 512 else 1
        if alone and since < 512:
            scouts = 1
        for _ in range(min(max(scouts, contest), len(rest))):
            u, coin = split(u, 2)
            u, place = split(u, len(rest))
            if contest or (coin == 0 and not (alone and since < 512)):
                place = min(range(len(rest)), key=lambda k: self.score[rest[k]])
            self.playing.append(rest.pop(place))
        if alone:
            self.speaker = self.playing[-1]
            self.playing = [self.speaker]
            self.p[self.seated] = 0.1 / max(1, len(self.seated) - 1)
            self.p[lead] = 0.9
