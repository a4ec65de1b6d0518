"""How little any k-regular generalization loses: a bound that is proven, and the optimum of tiny inputs."""
