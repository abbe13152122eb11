"""`kernelpick regret`: what algorithms lose against the best hypothesis in hindsight, beside what the theorems say."""
