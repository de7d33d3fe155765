void main()
{
    const uint x = value();
    const int y = int(x) - 50;
    const float z = float(y) * 0.25;
    give_place();
    if (stays_out())
        return;
    give(subgroupClusteredAdd(x, CLUSTER));
    give(subgroupClusteredMul(x | 1, CLUSTER));
    give(subgroupClusteredMin(x, CLUSTER));
    give(subgroupClusteredMax(x, CLUSTER));
    give(subgroupClusteredAnd(x | 96, CLUSTER));
    give(subgroupClusteredOr(x, CLUSTER));
    give(subgroupClusteredXor(x, CLUSTER));
    give(subgroupClusteredMin(y, CLUSTER));
    give(subgroupClusteredMax(y, CLUSTER));
    give(subgroupClusteredAdd(z, CLUSTER));
    give(subgroupClusteredMin(z, CLUSTER));
    give(subgroupClusteredMax(z, CLUSTER));
}
