// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev Deploys the code that the environment holds under `name`, as hardhat.config.ts put it there.
function deploy(string memory name, bytes memory arguments) returns (address created) {
    bytes memory code = bytes.concat(vm.envBytes(name), arguments);
    assembly ("memory-safe") {
        created := create(0, add(code, 32), mload(code))
    }
    require(created != address(0), name);
}

/// @dev The escrow, with the mutant awake that the environment names; 0 is none.
function deployEscrow(address[] memory tokens) returns (address escrow) {
    escrow = deploy("PLAN_ESCROW_BYTECODE", abi.encode(tokens));
    vm.store(escrow, keccak256("parley.mutant"), bytes32(vm.envUint("PLAN_ESCROW_MUTANT")));
}
